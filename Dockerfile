# The service in a small image: what builds is not in it, it runs as nobody, and its root can be read-only.
#   docker build -t elision .
#   docker run --read-only --cap-drop ALL --network hospital -v ./token:/run/token:ro elision \
#     --host 0.0.0.0 --token-file /run/token
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN python -m venv /opt/elision && /opt/elision/bin/pip install --no-cache-dir '.[serve]' && /opt/elision/bin/python -m compileall -q /opt/elision

FROM python:3.13-slim
COPY --from=build /opt/elision /opt/elision
ENV PATH=/opt/elision/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 65532:65532
EXPOSE 8300
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8300/health', timeout=3)"]
ENTRYPOINT ["elision", "serve"]
