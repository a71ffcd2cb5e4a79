// SerialWatch: how a serial loop reports its progress and learns that it must stop.
#pragma once

#include <rizoma/engine.h>

#include <string_view>

namespace rizoma {

/// Lets a serial loop be watched and stopped: it calls step() once for each vertex.
class SerialWatch {
 public:
  SerialWatch(Engine& engine, std::string_view phase, VertexId total) : engine_(engine), phase_(phase), total_(total) {}

  Status step() {
    if (done_++ % kEvery != 0) return {};
    return engine_.report(phase_, static_cast<double>(done_ - 1), static_cast<double>(total_));
  }

 private:
  static constexpr VertexId kEvery = 1 << 13;
  Engine& engine_;
  std::string_view phase_;
  VertexId total_;
  VertexId done_ = 0;
};

}  // namespace rizoma
