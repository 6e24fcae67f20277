// Follows links, sends forms and keeps the page up to date without reloading the rooms that stay open.
"use strict";

const PARTS = ["clock", "rooms", "errors", "notice"];
const sent = new WeakMap();  // what the server last sent for each part: what is unfolded there stays so
let busy = false;
let visits = 0;

function swap(old, fresh) {
  if ((sent.get(old) ?? old.innerHTML) !== fresh.innerHTML) old.innerHTML = fresh.innerHTML;
  sent.set(old, fresh.innerHTML);
}

function show(html) {
  const next = new DOMParser().parseFromString(html, "text/html");
  document.title = next.title;
  for (const id of PARTS) swap(document.getElementById(id), next.getElementById(id));
  const main = document.getElementById("main");
  const fresh = next.getElementById("main");
  main.className = fresh.className;
  const wanted = new Set([...fresh.children].map((child) => child.id));
  for (const child of [...main.children]) if (!wanted.has(child.id)) child.remove();
  let place = main.firstElementChild;  // a frame that is moved loads anew, so those that stay are never moved
  for (const child of [...fresh.children]) {
    if (place && place.id === child.id) {
      const header = place.querySelector(":scope > header");
      if (header) swap(header, child.querySelector(":scope > header"));
      place = place.nextElementSibling;
    } else {
      main.insertBefore(document.importNode(child, true), place);
    }
  }
}

async function get(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

async function go(address, options) {
  const notice = document.getElementById("notice");
  busy = true;
  visits += 1;
  notice.textContent = "";
  sent.delete(notice);
  document.body.classList.add("busy");
  try {
    const response = await get(address, options);
    show(await response.text());
    if (response.url !== location.href) {
      history.pushState(null, "", response.url);
      document.getElementById("main").scrollIntoView();  // on a phone it is below the list of rooms
    }
  } catch (error) {
    notice.textContent = `That did not work: ${error.message}`;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  go(event.target.action, { method: "POST", body });
});

addEventListener("popstate", () => go(location.href));

setInterval(async () => {
  if (busy || document.hidden) return;
  const visit = visits;
  try {
    const html = await (await get(location.href)).text();
    if (visit === visits) show(html);
    document.body.classList.remove("gone");
  } catch {
    document.body.classList.add("gone");
  }
}, 1500);
