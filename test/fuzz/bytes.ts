/**
 * The byte-level mutator: flips, inserts, deletes, splices, truncates, repeats, and puts in what parsers stumble over.
 * Deterministic: an edit is three numbers, so that fast-check can draw, shrink and replay it. Called by inputs.ts.
 */

export interface Edit {
  readonly op: number
  readonly at: number
  readonly with: number
}

/** Bytes of one input: above every bound worth crossing byte by byte, and small enough for thousands of runs. */
export const MAX_INPUT = 65_536

const encoder = new TextEncoder()
const text = (value: string): Uint8Array => encoder.encode(value)

/** Zero, ends of ranges, marks of formats, broken UTF-8, and words that mean something to a parser. */
const INTERESTING: readonly Uint8Array[] = [
  ...[0, 0x7f, 0x80, 0xff, 0xc0, 0xfe].map((byte) => Uint8Array.of(byte)),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xf4, 0x90, 0x80, 0x80),
  Uint8Array.of(0xef, 0xbb, 0xbf),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff),
  Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0),
  ...[
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '&',
    '=',
    ':',
    ';',
    ',',
    '.',
    '/',
    '?',
    '#',
    '%',
    '@',
  ].map(text),
  ...[
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\u2028',
    '\u202e',
    '\u0000',
    '\ufeff',
    '%00',
    '%2e%2e/',
    '..',
    '//',
    '\\u0000',
  ].map(text),
  ...[
    '__proto__',
    'constructor',
    'prototype',
    '"__proto__":{"x":1},',
    'null',
    'true',
    'NaN',
    '-0',
    '1e999',
  ].map(text),
  ...['9007199254740993', '-1', '0x10', '\\ud800', '=?utf-8?B?', '?=', '<!doctype ', '<!--', '-->', '</'].map(
    text,
  ),
]

type Operation = (bytes: Uint8Array, at: number, with_: number) => Uint8Array

const flip: Operation = (bytes, at, with_) => {
  const copy = bytes.slice()
  copy[at] = (copy[at] ?? 0) ^ (1 << (with_ % 8))
  return copy
}
const overwrite: Operation = (bytes, at, with_) => {
  const copy = bytes.slice()
  copy[at] = with_ % 256
  return copy
}
const insert: Operation = (bytes, at, with_) =>
  joined(bytes.subarray(0, at), Uint8Array.of(with_ % 256), bytes.subarray(at))
const remove: Operation = (bytes, at, with_) =>
  joined(bytes.subarray(0, at), bytes.subarray(at + 1 + (with_ % 16)))
const truncate: Operation = (bytes, at) => bytes.slice(0, at)
const behead: Operation = (bytes, at) => bytes.slice(at)
/** A piece from one place of the input at another. */
const splice: Operation = (bytes, at, with_) => {
  const from = with_ % (bytes.length + 1)
  return joined(bytes.subarray(0, at), bytes.subarray(from, from + 1 + (with_ % 64)), bytes.subarray(at))
}
/** A short piece many times over: what makes a loop within a loop take long. */
const repeat: Operation = (bytes, at, with_) => {
  const piece = bytes.subarray(at, at + 1 + (with_ % 12))
  const times = 2 ** ((with_ >>> 4) % 14)
  return joined(bytes.subarray(0, at), repeated(piece, times), bytes.subarray(at))
}
const interesting: Operation = (bytes, at, with_) =>
  joined(bytes.subarray(0, at), interestingAt(with_), bytes.subarray(at))
const interestingOften: Operation = (bytes, at, with_) => {
  const many = repeated(interestingAt(with_), 2 ** ((with_ >>> 8) % 14))
  return joined(bytes.subarray(0, at), many, bytes.subarray(at))
}
const swap: Operation = (bytes, at, with_) => {
  const copy = bytes.slice()
  const other = with_ % Math.max(1, bytes.length)
  copy[at] = bytes[other] ?? 0
  copy[other] = bytes[at] ?? 0
  return copy
}

const OPERATIONS: readonly Operation[] = [
  ...[flip, overwrite, insert, remove, truncate, behead],
  ...[splice, repeat, interesting, interestingOften, swap],
]

/** How many operations there are; `Edit.op` counts modulo this. */
export const EDIT_KINDS = OPERATIONS.length

/** Applies edits in order; never longer than `MAX_INPUT`. */
export function editBytes(sample: Uint8Array, edits: readonly Edit[]): Uint8Array {
  return edits.reduce((bytes, edit) => {
    const operation = OPERATIONS[edit.op % EDIT_KINDS] ?? flip
    return operation(bytes, edit.at % (bytes.length + 1), edit.with).subarray(0, MAX_INPUT)
  }, sample)
}

function interestingAt(with_: number): Uint8Array {
  return INTERESTING[with_ % INTERESTING.length] ?? new Uint8Array()
}

function repeated(piece: Uint8Array, times: number): Uint8Array {
  const most = piece.length === 0 ? 0 : Math.min(times, Math.ceil(MAX_INPUT / piece.length))
  return joined(...Array.from({ length: most }, () => piece))
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
