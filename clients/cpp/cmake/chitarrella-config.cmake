# The installed client: find_package(chitarrella) defines the target chitarrella::chitarrella.
include(CMakeFindDependencyMacro)
find_dependency(Protobuf)
find_dependency(gRPC CONFIG)
find_dependency(OpenSSL COMPONENTS Crypto)
include("${CMAKE_CURRENT_LIST_DIR}/chitarrella-targets.cmake")
