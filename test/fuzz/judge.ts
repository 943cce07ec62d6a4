/**
 * Judges what a parser did with one input: a complaint, or null. The laws are the same for every boundary. It throws
 * nothing; a refusal has a known reason and repeats nothing of the input; what is accepted is plain data that keeps the
 * rules and reads back as itself; no prototype was touched; the work fits the input. Called by `fuzz.test.ts` and `main.ts`.
 */
import { canonicalJson, type Json } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../kernel/reasons.ts'
import { countSteps, sizeOf, TooManySteps } from './steps.ts'
import { CANARY, type Input, type Target } from './target.ts'

/** Looks that a parser may take at each node of its input, and at the smallest one. */
const STEPS_PER_NODE = 60
const STEPS_AT_LEAST = 4_000

const CONSOLE = ['log', 'info', 'warn', 'error', 'debug'] as const
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Function.prototype] as const
const namesOf = (): string => PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length).join()
const CLEAN = namesOf()

/** What is wrong, or null. Never throws. */
export async function judge(target: Target, input: Input): Promise<string | null> {
  const heard = listen()
  try {
    return (await complaintOf(target, input)) ?? heard.complaint() ?? pollution()
  } finally {
    heard.stop()
  }
}

async function complaintOf(target: Target, input: Input): Promise<string | null> {
  const first = await run(target, input)
  if ('complaint' in first) return first.complaint
  const { result } = first
  if (!result.ok) return refusalFault(target, result)
  const fault = (target.open === true ? null : oddityIn(result.value)) ?? target.fault?.(result.value) ?? null
  if (fault !== null) return `accepted a value that breaks its rules: ${fault}`
  return target.again === undefined ? null : readsBack(target, result.value, target.again(result.value))
}

type Ran = { readonly result: Result<unknown> } | { readonly complaint: string }

async function run(target: Target, input: Input): Promise<Ran> {
  const isTree = target.form === 'value' && typeof input === 'object' && input !== null
  const counted = isTree ? countSteps(input, Math.max(STEPS_AT_LEAST, sizeOf(input) * STEPS_PER_NODE)) : null
  try {
    return { result: await target.parse(counted === null ? input : counted.value) }
  } catch (error) {
    if (error instanceof TooManySteps) return { complaint: 'took more steps than its input has room for' }
    return {
      complaint: `threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
    }
  } finally {
    counted?.stop()
  }
}

function refusalFault(
  { names = [] }: Target,
  result: Result<unknown> & { readonly ok: false },
): string | null {
  const { code, facts } = result.reason
  if (!isReasonCode(code)) return `refused for no known reason: ${String(code)}`
  const values = Object.entries(facts)
  if (values.some(([, value]) => typeof value !== 'string' && typeof value !== 'number'))
    return 'a fact is no text or number'
  const told = values.filter(([name]) => !names.includes(name))
  return told.flat().some((part) => String(part).toLowerCase().includes(CANARY))
    ? `${code} repeats the input`
    : null
}

async function readsBack(target: Target, value: unknown, again: unknown): Promise<string | null> {
  const second = await run(target, again)
  if ('complaint' in second) return `reading it back: ${second.complaint}`
  if (!second.result.ok) return `refuses what it accepted: ${second.result.reason.code}`
  return bytesOf(second.result.value) === bytesOf(value) ? null : 'reads back as something else'
}

/** `-0` and `0` are one number here, as they are in JSON. */
function bytesOf(value: unknown): string {
  return value instanceof Uint8Array ? `bytes:${value.join()}` : canonicalJson(value as Json)
}

/** Anything but plain data without prototype keys; looked for without recursion. */
function oddityIn(tree: unknown): string | null {
  const work: unknown[] = [tree]
  for (let at = 0; at < work.length; at += 1) {
    const value = work[at]
    if (typeof value === 'number' && !Number.isFinite(value)) return `the number ${value}`
    if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
      return 'an object of another kind'
    const reaching = Object.keys(value).find((key) => ['__proto__', 'constructor', 'prototype'].includes(key))
    if (reaching !== undefined) return `the key ${reaching}`
    work.push(...Object.values(value).slice(0, 100_000))
  }
  return null
}

function pollution(): string | null {
  if (namesOf() === CLEAN && !('polluted' in {})) return null
  Reflect.deleteProperty(Object.prototype, 'polluted')
  return 'a prototype was touched'
}

interface Listening {
  complaint(): string | null
  stop(): void
}

/** What is printed meanwhile is a log, and a log repeats no payload. */
function listen(): Listening {
  const printed: string[] = []
  const { console: printer } = globalThis
  const before = CONSOLE.map((name) => [name, printer[name]] as const)
  for (const name of CONSOLE) printer[name] = (...parts) => void printed.push(parts.map(String).join(' '))
  return {
    complaint: () =>
      printed.some((line) => line.toLowerCase().includes(CANARY)) ? 'printed its input' : null,
    stop: () => {
      for (const [name, print] of before) printer[name] = print
    },
  }
}
