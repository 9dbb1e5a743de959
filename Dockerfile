# The service in a small image: what builds is not in it, it runs as nobody, and its root can be read-only.
#   docker build -t elision .
#   docker run --read-only --cap-drop ALL --network hospital -v ./token:/run/token:ro elision \
#     --host 0.0.0.0 --token-file /run/token
# To fix what it stands on: --build-arg BASE=python:3.13-slim-bookworm@sha256:… or one of your own registry.
ARG BASE=python:3.13-slim-bookworm
FROM ${BASE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN python -m venv --without-pip /opt/elision && python -m pip --python /opt/elision/bin/python install --no-cache-dir '.[serve]'

FROM ${BASE}
COPY --from=build /opt/elision /opt/elision
ENV PATH=/opt/elision/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65532:65532
EXPOSE 8300
HEALTHCHECK --start-period=60s --timeout=5s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8300/health', timeout=3)"]
ENTRYPOINT ["elision", "serve"]
