// The whole client; start with Client.
#pragma once

#include <chitarrella/client.hpp>
#include <chitarrella/error.hpp>
#include <chitarrella/fairness.hpp>
#include <chitarrella/pictures.hpp>
