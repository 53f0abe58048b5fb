#include "messages.h"

active proctype P() { skip }
