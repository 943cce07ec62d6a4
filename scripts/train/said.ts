/**
 * Messages as people typed them, each with what it is of: the files `said.txt` beside the phrases of a package, one `action | message` a line. In a message
 * `[part:words]` marks a part, and ` // ` stands where another request begins (`action + action`). Read by training alone. Must not change them. Called by table.ts and parts.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TWO } from '../../integrations/extractors/learned/classes.ts'
import { PARTS, type PartName } from '../../integrations/extractors/learned/tags.ts'

export interface MarkedPart {
  readonly part: PartName
  /** Place in the text, UTF-16 units; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

export interface SaidLine {
  /** An action, an intent, or another name that no package has. */
  readonly label: string
  /** Without marks. */
  readonly text: string
  readonly parts: readonly MarkedPart[]
}

export interface SaidMessage extends SaidLine {
  /** Each request of several, in order; empty where there is one, or they were not told apart. */
  readonly requests: readonly (SaidLine & { readonly from: number })[]
}

const ROOT = join(import.meta.dirname, '../..')
const BETWEEN = ' | '
const MARK = /\[(\w+):([^[\]]+)\]/g
const CUT = ' // '

/** Those that both places learn from, and more that only home has room for. */
export type Said = 'said.txt' | 'more-said.txt'

/** In the order of their paths. Errors: a line whose marks are none. */
export function saidMessages(name: Said = 'said.txt'): readonly SaidMessage[] {
  return globSync(`integrations/**/${name}`, { cwd: ROOT })
    .sort()
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
    .flatMap((line) => (line.startsWith('#') || !line.includes(BETWEEN) ? [] : [messageOf(line)]))
}

export function messageOf(line: string): SaidMessage {
  const at = line.indexOf(BETWEEN)
  const labels = line.slice(0, at).trim().split(' + ')
  const typed = line
    .slice(at + BETWEEN.length)
    .trim()
    .split(CUT)
  if (labels.length !== typed.length) throw new Error(`labels and requests differ: ${line}`)
  let from = 0
  const requests = typed.map((one, index) => {
    const request = { ...unmarked(one, line), label: labels[index] ?? '', from }
    from += request.text.length + 1
    return request
  })
  const text = requests.map((one) => one.text).join(' ')
  const [only, ...more] = requests
  if (only !== undefined && more.length === 0) return { ...only, requests: [] }
  return { label: TWO.replace('else:', ''), text, parts: [], requests }
}

function unmarked(
  typed: string,
  line: string,
): { readonly text: string; readonly parts: readonly MarkedPart[] } {
  const parts: MarkedPart[] = []
  let text = ''
  let last = 0
  for (const { index, 0: mark, 1: name, 2: words = '' } of typed.matchAll(MARK)) {
    const part = PARTS.find((one) => one === name)
    if (part === undefined) throw new Error(`${name} is no part: ${line}`)
    text += typed.slice(last, index)
    parts.push({ part, from: text.length, to: text.length + words.length })
    text += words
    last = index + mark.length
  }
  return { text: text + typed.slice(last), parts }
}
