// All of the client: Client is where to begin.
#pragma once

#include <chitarrella/client.hpp>
#include <chitarrella/error.hpp>
#include <chitarrella/fairness.hpp>
#include <chitarrella/pictures.hpp>
