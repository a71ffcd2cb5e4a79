// FunctionRef: a non-owning reference to a callable; one pointer to data, one to code.  Module: base.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace rizoma {

template <class Signature>
class FunctionRef;

/// Refers to a callable that must outlive it.  Never store one.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
  FunctionRef(F&& function) noexcept  // NOLINT: implicit by design
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}
  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace rizoma
