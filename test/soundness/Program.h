// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a CUDA kernel as a tree of our own, which can be printed as
// source, run by a plain interpreter and made smaller.
// On the data's way: tests only; made by Generate, read by Print, Interpret
// and Shrink.
// Invariants: locals and pointers have numbers of their own in the whole kernel
// and are set before they are used; a node's Kids are as its Op says.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_PROGRAM_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_PROGRAM_H

#include "Integers.h"

#include <string>
#include <vector>

namespace blockmaestro::soundness {

/// What an array is made of.
enum class Element : uint8_t {
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  Float,
  Double,
  Float4, ///< struct of four floats, aligned to 16.
  Triple, ///< struct of three ints.
};
inline constexpr unsigned ElementCount = 12;

struct ElementTraits {
  const char *Name;
  uint32_t Bytes;
  bool Aggregate;
};
const ElementTraits &traits(Element E);
inline bool isInteger(Element E) { return E <= Element::U64; }
inline Int integerOf(Element E) { return Int(E); }

enum class Op : uint8_t {
  // Integers. Type is the value's.
  Constant, ///< Value.
  Register, ///< Value / 3: threadIdx, blockIdx, blockDim, gridDim; % 3: x y z.
  Scalar,   ///< Parameter number Id of the kernel.
  Local,    ///< Variable Id.
  Binary,   ///< Value is the Operator; two kids.
  Negate,
  Complement,
  Not,
  AndAlso,
  OrElse,
  Choose,  ///< kid0 ? kid1 : kid2
  Minimum, ///< In Type.
  Maximum,
  Cast,        ///< To Type.
  Load,        ///< The integer at pointer kid0.
  Fetch,       ///< Atomically adds kid1 at pointer kid0; the old value.
  Before,      ///< Pointer kid0 < pointer kid1, of one array.
  CallInteger, ///< Function Id with the kids; what it returns.
  // Pointers to Of.
  Array,   ///< Array Id's first element.
  Pointer, ///< Variable Id.
  Advance, ///< kid0 + kid1
  Either,  ///< kid0 ? kid1 : kid2, kid0 an integer.
  Retype,  ///< kid0 as a pointer to Of.
  Chosen,  ///< Pointer number kid0 of bundle Id.
  Field,   ///< &kid0->(member Value of a Triple).
  // Statements.
  Sequence,
  Let,        ///< Declares Local Id of Type; kid0.
  Set,        ///< Local Id of Type; kid0.
  LetPointer, ///< Pointer Id; kid0.
  SetPointer,
  Read,     ///< Through kid0; Value: volatile.
  Write,    ///< Through kid0; Value: volatile.
  Atomic,   ///< Through kid0; Value: which.
  Assembly, ///< Through kid0, if kid1; Value: see PrintAssembly.cpp; Id: how
            ///< many elements behind kid0, and AssemblyOrigin.
  Copy,     ///< memcpy(kid0, kid1, kid2)
  Fill,     ///< memset(kid0, 0, kid1)
  If,       ///< kid0, Sequence kid1, Sequence kid2
  Return,
  Exit,          ///< Ends the thread; if kid0, where there is one. Value: how.
  ReturnInteger, ///< kid0; only at the end of a function of integers.
  For,           ///< Let kid0; kid1; Set kid2; Sequence kid3
  While,         ///< kid0; Sequence kid1
  DoWhile,       ///< Sequence kid0; kid1
  Break,
  Continue,
  Switch,   ///< kid0, then Case.
  Case,     ///< Value, Sequence kid0; Id: 1 falls through, 2 is default.
  Call,     ///< Function Id with the kids.
  CallVia,  ///< kid0 ? function Id : function Value, with the other kids.
  Barrier,  ///< __syncthreads
  Stage,    ///< Through shared memory: slot kid0.
  Scratch,  ///< Through a local array: slot kid0.
  Exchange, ///< A shuffle of the accumulator.
};

struct Node {
  Op What = Op::Sequence;
  Int Type = Int::I32;
  Element Of = Element::Float;
  int64_t Value = 0;
  unsigned Id = 0;
  unsigned Idiom = 0;   ///< Of a statement.
  unsigned Line = 0;    ///< Of a statement; set when printed.
  unsigned EndLine = 0; ///< Of a loop's condition at its end.
  std::vector<Node> Kids;
};

bool isStatement(Op What);
bool isPointer(Op What);

/// Whether a node of that kind is in N.
bool contains(const Node &N, Op What);

/// What a launch puts into a scalar.
enum class Role : uint8_t {
  Size,
  Small,
  Shift,
  Any,
  Signed, ///< Not 0, below it at some launches.
  Width,  ///< 0 to 63.
  Power,  ///< A power of two, at most launches.
};

struct ScalarInfo {
  Int Type = Int::I32;
  Role Purpose = Role::Size;
  bool Member = false;
};

struct ArrayInfo {
  enum Storage { Parameter, Member, Bundled, Device, Constant };
  Element Of = Element::Float;
  Storage Where = Parameter;
  bool Table = false;  ///< Read only, its integers used as indices.
  bool Hidden = false; ///< A parameter that is an integer.
  uint64_t Length = 0; ///< Elements, of device variables.
};

/// A struct of pointers to arrays of one type, of which an index chooses one.
struct BundleInfo {
  enum Form : uint8_t {
    Rows,     ///< An array of pointers.
    Behind,   ///< The same behind more than 1,024 bytes.
    Apart,    ///< Each in a row of its own with others.
    Unions,   ///< Each in a union with an integer.
    Integers, ///< Numbers of 64 bits.
    Packed,   ///< Each in a packed struct of 13 bytes.
    Mixed,    ///< A pointer, a union, two integers, eight bytes.
  };
  static constexpr unsigned FormCount = 7;
  static constexpr int Unused = -1; ///< What is there is no pointer.
  Form How = Rows;
  Element Of = Element::Float;
  std::vector<int> Arrays; ///< By index.
};
/// Where pointer number Index is.
uint32_t offsetIn(const BundleInfo &B, unsigned Index);
uint32_t bytesOf(const BundleInfo &B);

/// One parameter of the kernel: a scalar, an array's pointer, the struct of
/// all members or a bundle.
struct ParameterInfo {
  enum Kind { Scalar, Array, Struct, Bundle };
  Kind What = Scalar;
  unsigned Id = 0;
};

/// A member of the struct; every second half of them lies in a struct inside.
struct MemberInfo {
  bool IsArray = false;
  unsigned Id = 0;
  bool Inner = false;
  uint32_t Offset = 0; ///< In the outermost struct.
};

/// A device function: takes integers and pointers, returns nothing or an int.
struct Function {
  struct Parameter {
    bool IsPointer = false;
    unsigned Id = 0; ///< Local or pointer.
  };
  std::vector<Parameter> Parameters;
  Node Body;
  bool Integer = false;
  bool NoInline = false;
  bool Weak = false;
  /// What the weak definition does where Body is that of another file.
  Node Decoy;
};

struct Kernel {
  uint32_t Seed = 0;
  std::vector<ScalarInfo> Scalars;
  std::vector<ArrayInfo> Arrays;
  std::vector<MemberInfo> Members;
  std::vector<BundleInfo> Bundles;
  std::vector<ParameterInfo> Parameters;
  std::vector<Int> Locals;       ///< Types by number.
  std::vector<Element> Pointers; ///< Types by number.
  std::vector<Function> Functions;
  Node Body;
  bool Weak = false;
  /// Weak functions are those of another file: printed as their decoys.
  bool Relocatable = false;
};

/// Whether K has something weak.
bool hasWeakCode(const Kernel &K);

std::string symbolOf(const Kernel &K);
std::string globalName(const Kernel &K, unsigned Array);

/// Computes the types of all integers from their leaves.
void retype(Node &N, const Kernel &K);

/// Gives Members their offsets, as C++ lays structs out.
void layOut(Kernel &K);

/// C++ source of K; sets the Line of every statement, counted from 1 in K's
/// own text.
std::string print(Kernel &K);
/// C++ source of K's weak functions, as another file defines them.
std::string printStrong(Kernel K);

/// What one statement of inline assembly does: digits of its Value.
struct AssemblyForm {
  enum Kind : uint8_t { Load, Store, Reduce, Exchange };
  enum Address : uint8_t { Plain, Generic, Converted, Added };
  Kind What = Load;
  Address How = Plain;
};
constexpr unsigned AssemblyOrigin = 8;
AssemblyForm assemblyForm(const Node &N);
int64_t valueOf(AssemblyForm F);
/// Bytes behind the pointer.
int64_t displacementOf(const Node &N);
/// The statement; each as the texts of its kids.
std::string assemblyText(const Node &N, const std::string &Pointer,
                         const std::string &Guard);
std::string exitText(const Node &N, const std::string &Guard);

/// What the source of a batch begins with instead of CUDA's headers. Some
/// macros are for those who run the kernels: ACC, what a thread writes before
/// it has read anything; BEGIN_TILE, what a kernel with a tile does first; KEEP
/// and LOOK, so that no read is left out because nothing uses it.
extern const char *const Prelude;

} // namespace blockmaestro::soundness

#endif
