// Methods of the Python classes that say, where one is read as if it were a value, that it is to be called.
//
// `Method` stands for a function in a class and looks like it in every respect: its attributes are the function's.
// `BoundMethod` is what `object.name` gives: as fast to make and to call as Python's own.  Whoever takes a part of it
// (`g.neighbors["ann"]`, `g.info.num_edges`, `for t in g.tags`, `len(g.tags)`, `g.tags < 3`) gets what `explain(owner,
// function, how, what)` raises.
#include "bind_method.h"

#include <structmember.h>

#include <cstddef>
#include <vector>

namespace rizoma::python {
namespace {

struct Method {
  PyObject_HEAD PyObject* function;
  PyObject* explain;
  vectorcallfunc call;
};

struct BoundMethod {
  PyObject_HEAD Method* method;
  PyObject* owner;
  vectorcallfunc call;
};

template <class T>
T* as(PyObject* object) {
  return reinterpret_cast<T*>(object);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): Python's objects
}

PyObject* of(void* object) { return static_cast<PyObject*>(object); }

/// The types, which live as long as the process.
struct Types {
  PyObject* method = nullptr;
  PyObject* bound = nullptr;
};

Types& types() {
  static Types all;
  return all;
}

template <class T>
T* made(PyObject* type) {
  T* object = PyObject_GC_New(T, as<PyTypeObject>(type));
  return object;
}

template <class T>
void release(PyObject* self) {
  PyObject_GC_UnTrack(self);
  T* object = as<T>(self);
  PyTypeObject* const type = Py_TYPE(self);
  if constexpr (std::is_same_v<T, Method>) {
    Py_CLEAR(object->function);
    Py_CLEAR(object->explain);
  } else {
    Py_CLEAR(object->method);
    Py_CLEAR(object->owner);
  }
  PyObject_GC_Del(self);
  Py_DECREF(of(type));
}

// ---- the function in the class ----

int traverse_method(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(as<Method>(self)->function);
  Py_VISIT(as<Method>(self)->explain);
  return 0;
}

PyObject* call_method(PyObject* self, PyObject* const* args, std::size_t count, PyObject* names) {
  return PyObject_Vectorcall(as<Method>(self)->function, args, count, names);
}

PyObject* call_bound(PyObject* self, PyObject* const* args, std::size_t count, PyObject* names);

PyObject* bind_to(PyObject* self, PyObject* owner, PyObject*) {
  if (owner == nullptr || owner == Py_None) return Py_NewRef(self);
  auto* bound = made<BoundMethod>(types().bound);
  if (bound == nullptr) return nullptr;
  bound->method = as<Method>(Py_NewRef(self));
  bound->owner = Py_NewRef(owner);
  bound->call = &call_bound;
  PyObject_GC_Track(of(bound));
  return of(bound);
}

PyObject* method_attribute(PyObject* self, PyObject* name) {
  return PyObject_GetAttr(as<Method>(self)->function, name);
}

int set_method_attribute(PyObject* self, PyObject* name, PyObject* value) {
  return PyObject_SetAttr(as<Method>(self)->function, name, value);
}

PyObject* method_text(PyObject* self) { return PyObject_Repr(as<Method>(self)->function); }

// ---- the same of an object ----

int traverse_bound(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(of(as<BoundMethod>(self)->method));
  Py_VISIT(as<BoundMethod>(self)->owner);
  return 0;
}

PyObject* call_bound(PyObject* self, PyObject* const* args, std::size_t count, PyObject* names) {
  const auto* bound = as<BoundMethod>(self);
  const auto given = static_cast<std::size_t>(PyVectorcall_NARGS(count));
  const std::size_t named = names == nullptr ? 0 : static_cast<std::size_t>(PyTuple_Size(names));
  if ((count & PY_VECTORCALL_ARGUMENTS_OFFSET) != 0) {  // the caller lends the place before the first
    auto** first = const_cast<PyObject**>(args) - 1;    // NOLINT(cppcoreguidelines-pro-type-const-cast)
    PyObject* const kept = std::exchange(*first, bound->owner);
    PyObject* const result = PyObject_Vectorcall(bound->method->function, first, given + 1, names);
    *first = kept;
    return result;
  }
  std::vector<PyObject*> all{bound->owner};
  all.insert(all.end(), args, args + given + named);
  return PyObject_Vectorcall(bound->method->function, all.data(), given + 1, names);
}

/// Python's own bound method.
nb::object plain(PyObject* self) {
  const auto* bound = as<BoundMethod>(self);
  return nb::handle(bound->method->function).attr("__get__")(nb::handle(bound->owner));
}

/// Raises what `explain` says.
PyObject* explained(PyObject* self, const char* how, PyObject* what = Py_None) {
  const auto* bound = as<BoundMethod>(self);
  PyObject* const said =
      PyObject_CallFunction(bound->method->explain, "OOsO", bound->owner, bound->method->function, how, what);
  Py_XDECREF(said);
  if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "this is a method; call it");
  return nullptr;
}

PyObject* bound_attribute(PyObject* self, PyObject* name) {
  PyObject* found = nullptr;
  try {
    found = PyObject_GetAttr(plain(self).ptr(), name);
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
  if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return found;
  PyErr_Clear();
  return explained(self, "attribute", name);
}

int set_bound_attribute(PyObject* self, PyObject* name, PyObject*) {
  explained(self, "attribute", name);
  return -1;
}

PyObject* bound_text(PyObject* self) {
  try {
    return PyObject_Repr(plain(self).ptr());
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
}

bool same(PyObject* a, PyObject* b) {
  return as<BoundMethod>(a)->method == as<BoundMethod>(b)->method &&
         as<BoundMethod>(a)->owner == as<BoundMethod>(b)->owner;
}

PyObject* compare_bound(PyObject* self, PyObject* other, int how) {
  if (how != Py_EQ && how != Py_NE) return explained(self, "compare", other);
  if (Py_TYPE(self) != Py_TYPE(other)) return Py_NewRef(Py_NotImplemented);
  return PyBool_FromLong(static_cast<long>(same(self, other) == (how == Py_EQ)));
}

Py_hash_t hash_bound(PyObject* self) {
  const std::hash<const void*> of_address;
  const std::size_t both = of_address(as<BoundMethod>(self)->owner) * 31 + of_address(as<BoundMethod>(self)->method);
  const auto hash = static_cast<Py_hash_t>(both);
  return hash == -1 ? -2 : hash;
}

PyObject* item_of_bound(PyObject* self, PyObject* key) { return explained(self, "item", key); }
PyObject* iterate_bound(PyObject* self) { return explained(self, "iterate"); }

int set_item_of_bound(PyObject* self, PyObject* key, PyObject*) {
  explained(self, "item", key);
  return -1;
}
int bound_contains(PyObject* self, PyObject* what) {
  explained(self, "contains", what);
  return -1;
}
Py_ssize_t length_of_bound(PyObject* self) {
  explained(self, "length");
  return -1;
}
int bound_is_true(PyObject*) { return 1; }

template <class F>
PyType_Slot slot(int which, F* function) {
  return {which, reinterpret_cast<void*>(function)};  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

PyObject* type_of(const char* name, std::size_t size, std::size_t call, unsigned long flags,
                  std::vector<PyType_Slot> slots) {
  PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, static_cast<Py_ssize_t>(call), READONLY, nullptr},
                           {nullptr, 0, 0, 0, nullptr}};
  slots.push_back({Py_tp_members, members});
  slots.push_back(slot(Py_tp_call, &PyVectorcall_Call));
  slots.push_back({0, nullptr});
  PyType_Spec spec{name, static_cast<int>(size), 0,
                   static_cast<unsigned>(flags | Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                                         Py_TPFLAGS_DISALLOW_INSTANTIATION),
                   slots.data()};
  PyObject* const type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  return type;
}

void make_types() {
  types().method =
      type_of("rizoma._core.function", sizeof(Method), offsetof(Method, call), Py_TPFLAGS_METHOD_DESCRIPTOR,
              {slot(Py_tp_dealloc, &release<Method>), slot(Py_tp_traverse, &traverse_method),
               slot(Py_tp_descr_get, &bind_to), slot(Py_tp_getattro, &method_attribute),
               slot(Py_tp_setattro, &set_method_attribute), slot(Py_tp_repr, &method_text)});
  types().bound =
      type_of("rizoma._core.method", sizeof(BoundMethod), offsetof(BoundMethod, call), 0,
              {slot(Py_tp_dealloc, &release<BoundMethod>), slot(Py_tp_traverse, &traverse_bound),
               slot(Py_tp_getattro, &bound_attribute), slot(Py_tp_setattro, &set_bound_attribute),
               slot(Py_tp_repr, &bound_text), slot(Py_tp_hash, &hash_bound), slot(Py_tp_richcompare, &compare_bound),
               slot(Py_tp_iter, &iterate_bound), slot(Py_mp_subscript, &item_of_bound),
               slot(Py_mp_ass_subscript, &set_item_of_bound), slot(Py_mp_length, &length_of_bound),
               slot(Py_sq_contains, &bound_contains), slot(Py_nb_bool, &bound_is_true)});
}

nb::object method(nb::handle function, nb::handle explain) {
  auto* object = made<Method>(types().method);
  if (object == nullptr) throw nb::python_error();
  object->function = function.inc_ref().ptr();
  object->explain = explain.inc_ref().ptr();
  object->call = &call_method;
  PyObject_GC_Track(of(object));
  return nb::steal(of(object));
}

}  // namespace

void bind_method(nb::module_& module) {
  using namespace nb::literals;
  make_types();
  module.def("method", &method, "function"_a, "explain"_a,
             nb::sig("def method(function: Callable[..., Any], explain: Callable[..., Any]) -> Any"),
             "The function for a class, whose bound methods call `explain(owner, function, how, what)`, which raises, "
             "where they are taken for values.");
}

}  // namespace rizoma::python
