# The locked dependencies first: a change of the source leaves this stage as it is.
FROM python:3.11-slim-bookworm AS dependencies
COPY requirements/run.txt requirements/run.txt
RUN python -m venv /venv && \
    /venv/bin/pip install --no-cache-dir --require-hashes --requirement requirements/run.txt

FROM python:3.11-slim-bookworm
# libfribidi0 lets Pillow write Arabic and Hebrew names the right way round.
RUN apt-get update && \
    apt-get install -y --no-install-recommends libfribidi0 && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --system --no-create-home dawdle && \
    install --directory --owner dawdle --group dawdle /data
COPY --from=dependencies /venv /venv
WORKDIR /app
COPY LICENSE LICENSE
COPY bot bot
COPY cogs cogs
COPY renderers renderers
RUN python -m compileall -q .
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DAWDLE_DATABASE=/data/dawdle.sqlite3
USER dawdle
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
