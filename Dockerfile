# Two stages: the first builds a virtual environment, the second holds that and nothing else that was needed for it.
# Debian, not Alpine: the embedded Valkey and several wheels need glibc.
FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/chitarrella && python -m venv /opt/builder
WORKDIR /src
# The lock files first: while they stay as they are, this layer does too.
COPY deploy/requirements.lock deploy/build.lock deploy/
RUN /opt/chitarrella/bin/pip install --require-hashes -r deploy/requirements.lock \
    && /opt/builder/bin/pip install --require-hashes -r deploy/build.lock
COPY pyproject.toml README.md LICENSE ./
COPY proto/third_party/LICENSE proto/third_party/
COPY service service
RUN /opt/builder/bin/hatchling build -t wheel \
    && /opt/chitarrella/bin/pip install --no-deps dist/*.whl

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="chitarrella" \
      org.opencontainers.image.description="The rules of Italian card games, played over gRPC, REST and Redis" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home chitarrella \
    && install -d -o chitarrella -g chitarrella /data
COPY --from=build /opt/chitarrella /opt/chitarrella
ENV PATH=/opt/chitarrella/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    CHITARRELLA_GRPC_ADDRESS=0.0.0.0:50051 \
    CHITARRELLA_REST_ADDRESS=0.0.0.0:8080 \
    CHITARRELLA_DATA=/data
VOLUME /data
EXPOSE 50051 8080
# By number, so that a cluster that demands a non-root user can tell.
USER 10001
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["chitarrella", "health"]
CMD ["chitarrella", "serve"]
