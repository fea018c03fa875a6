// Precompiled headers: gRPC and the generated code.
#pragma once

#include <grpcpp/grpcpp.h>

#include "chitarrella/v1/catalogue.grpc.pb.h"
#include "chitarrella/v1/matches.grpc.pb.h"
#include "chitarrella/v1/rules.grpc.pb.h"
#include "chitarrella/v1/webhooks.grpc.pb.h"
