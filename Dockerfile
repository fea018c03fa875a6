# `build` makes a virtual environment and its bill of materials; the last stage holds these and nothing else that was needed
# for them; `dev` is built only where it is asked for.
# A base is a Debian with Python 3.11 or newer, venv included. Not Alpine: the embedded Valkey and several wheels need glibc.
ARG BASE=python:3.13-slim-bookworm
FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
# The environment of the service gets no pip: that of the builder fills it.
RUN python3 -m venv --without-pip /opt/chitarrella && python3 -m venv /opt/builder
WORKDIR /src
# The lock files first: while they stay as they are, this layer does too.
COPY deploy/requirements.lock deploy/build.lock deploy/sbom.lock deploy/
RUN /opt/builder/bin/pip --python /opt/chitarrella/bin/python install --require-hashes -r deploy/requirements.lock \
    && /opt/builder/bin/pip install --require-hashes -r deploy/build.lock -r deploy/sbom.lock
# Debugging symbols are a sixth of the libraries; sources of compiled modules and type hints are for developers. Of the
# versions of Lua that lupa brings, the store inside a process runs its scripts by 5.1 alone.
# No version of binutils is pinned: Debian keeps only the newest, and nothing of it goes into the image.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends binutils \
    && rm -rf /var/lib/apt/lists/* \
    && find /opt/chitarrella -name '*.so*' -type f -exec strip --strip-unneeded {} + \
    && find /opt/chitarrella/lib -type f '(' -name '*.py[xi]' -o -name '*.pxd' -o -name '*.[ch]' ')' -delete \
    && find /opt/chitarrella/lib '(' -path '*/lupa/lua5[2-9]*.so' -o -path '*/lupa/luajit*.so' ')' -delete \
    && rm -rf /opt/chitarrella/lib/python3*/site-packages/greenlet/tests
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY proto proto
COPY docs docs
COPY service service
COPY cards cards
COPY LICENSE cards/
RUN /opt/builder/bin/pip wheel --no-deps --no-build-isolation --wheel-dir dist . ./cards \
    && /opt/builder/bin/pip --python /opt/chitarrella/bin/python install --no-deps --no-index dist/*.whl \
    && /opt/builder/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
        --output-file /opt/chitarrella/sbom.cdx.json /opt/chitarrella/bin/python

# For the dev container (.devcontainer/): what the Makefile calls and does not install itself.
FROM python:3.11-slim-bookworm AS dev
# No versions are pinned: Debian keeps only the newest, and a developer wants its security updates.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl git make procps redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 --shell /bin/bash developer
# npm installs buf and builds the TypeScript client; Debian's Node.js is too old for both.
COPY --from=node:22-bookworm-slim /usr/local/bin/node /usr/local/bin/node
COPY --from=node:22-bookworm-slim /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
    && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
# Go builds kustomize, which renders the manifests.
COPY --from=golang:1.26-bookworm /usr/local/go /usr/local/go
ENV PATH=/usr/local/go/bin:$PATH
# The user developer.
USER 1000

FROM ${BASE}
ARG BASE
ARG VERSION=0.1.0
# The commit that the image is built from.
ARG REVISION=unknown
LABEL org.opencontainers.image.title="chitarrella" \
      org.opencontainers.image.description="The rules of regional card games, played over gRPC, REST and Redis" \
      org.opencontainers.image.source="https://github.com/chitarrella/chitarrella" \
      org.opencontainers.image.documentation="https://github.com/chitarrella/chitarrella/blob/main/deploy/README.md" \
      org.opencontainers.image.licenses="Apache-2.0 AND CC0-1.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${BASE}"
# The base's own pip and the wheels that venv would install: nothing is installed into a running container.
RUN rm -rf /usr/local/bin/pip* /usr/local/lib/python3.*/site-packages/* /usr/local/lib/python3.*/ensurepip \
        /usr/lib/python3.*/ensurepip /usr/share/python-wheels \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin chitarrella \
    && install -d -o chitarrella -g chitarrella /data
COPY --from=build /opt/chitarrella /opt/chitarrella
ENV PATH=/opt/chitarrella/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    CHITARRELLA_GRPC_ADDRESS=0.0.0.0:50051 \
    CHITARRELLA_REST_ADDRESS=0.0.0.0:8080 \
    CHITARRELLA_ADMIN_ADDRESS=0.0.0.0:8081 \
    CHITARRELLA_DATA=/data
VOLUME /data
EXPOSE 50051 8080 8081
# By number, so that a cluster that demands a non-root user can tell.
USER 10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["chitarrella", "health"]
CMD ["chitarrella", "serve"]
