// The whole client; start with Client.
#pragma once

#include <chitarrella/card_images.hpp>
#include <chitarrella/client.hpp>
#include <chitarrella/error.hpp>
#include <chitarrella/fairness.hpp>
