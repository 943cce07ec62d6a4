/** Parsers that are broken on purpose, one law each, and what the judge says of them. Called by `fuzz.test.ts`. */
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CANARY, type Target } from './target.ts'

export const SAMPLE = { a: 'word', list: [1, 2, 3], inner: { b: CANARY } }

export const SOUND: Target = {
  name: 'sound',
  form: 'value',
  samples: [SAMPLE],
  parse: strict,
}

const parsing = (parse: Target['parse']): Partial<Target> => ({ parse })

export const BROKEN: readonly (readonly [what: string, complaint: RegExp, over: Partial<Target>])[] = [
  ['throws', /^threw TypeError/, parsing((input) => ok((input as typeof SAMPLE).inner.b.length))],
  ['has a reason nobody knows', /no known reason/, parsing(() => err('odd' as never))],
  ['repeats the input', /repeats the input/, parsing(repeating)],
  ['prints the input', /printed its input/, parsing(printing)],
  ['touches a prototype', /prototype was touched/, parsing(merging)],
  ['keeps prototype keys', /the key (?:__proto__|constructor|prototype)/, parsing(keepingKeys)],
  ['walks in circles', /more steps/, parsing(circling)],
  ['does not read its own', /refuses what it accepted/, { again: () => ({}) }],
  ['reads its own as another', /reads back as something else/, { again: () => ({ a: 'other' }) }],
  ['refuses its samples', /a sample is refused/, parsing(() => err('event_malformed'))],
  ['lets a bound slip by one', /breaks its rules: long/, { bounds: [100], fault: longerByOne }],
  [
    'misreads a byte',
    /^threw RangeError/,
    { form: 'bytes', samples: [Uint8Array.of(1, 0, 0, 0, 7)], parse: readNumber },
  ],
  ['minds a name that stands twice', /^threw Error: twice/, { form: 'json', parse: onceOnly }],
]

function wordOf(input: unknown): string | null {
  const value = isPlainRecord(input) ? input['a'] : undefined
  return typeof value === 'string' ? value : null
}

function strict(input: unknown): Result<unknown> {
  const word = wordOf(input)
  return word === null ? err('event_malformed') : ok({ a: word })
}

function repeating(input: unknown): Result<unknown> {
  const word = wordOf(input)
  return word === 'word' || word === null ? strict(input) : err('event_malformed', { word })
}

function printing(input: unknown): Result<unknown> {
  const word = wordOf(input)
  if (word !== 'word') report(String(word))
  return strict(input)
}

/** As some library would. */
function report(line: string): void {
  const { console: printer } = globalThis
  printer.warn(line)
}

function merging(input: unknown): Result<unknown> {
  merge({}, input, 0)
  return strict(input)
}

function merge(into: Record<string, unknown>, from: unknown, depth: number): void {
  if (!isPlainRecord(from) || depth > 4) return
  for (const [key, value] of Object.entries(from)) {
    if (!isPlainRecord(value)) into[key] = value
    else {
      into[key] ??= {}
      merge(into[key] as Record<string, unknown>, value, depth + 1)
    }
  }
}

function keepingKeys(input: unknown): Result<unknown> {
  return isPlainRecord(input)
    ? ok(Object.fromEntries(Object.keys(input).map((key) => [key, 1])))
    : strict(input)
}

function circling(input: unknown): Result<unknown> {
  for (let at = 0; at < 9_999; at += 1) wordOf(input)
  return strict(input)
}

function longerByOne(value: unknown): string | null {
  return wordOf(value)?.length === 101 ? 'long' : null
}

function readNumber(input: unknown): Result<unknown> {
  return ok(new DataView((input as Uint8Array).slice().buffer).getInt32(1))
}

function onceOnly(input: unknown): Result<unknown> {
  if (String(input).split('"a":').length > 2) throw new Error('twice')
  return ok(true)
}
