/**
 * Messages as people typed them, with their labels: the files `said.txt` beside a package's phrases, one `action | message` a
 * line. `[part:words]` marks a part, ` // ` the start of another request (`action + action`). Used for training and search words
 * only. Called by table.ts, parts.ts, inputs.ts and tables/finds.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TWO } from '../../integrations/extractors/learned/classes.ts'
import { PARTS, type PartName } from '../../integrations/extractors/learned/tags.ts'

export interface MarkedPart {
  readonly part: PartName
  /** Position in the text, in UTF-16 code units; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

export interface SaidLine {
  /** An action, an intent, or a name that no package declares. */
  readonly label: string
  /** The message without its marks. */
  readonly text: string
  readonly parts: readonly MarkedPart[]
}

export interface SaidMessage extends SaidLine {
  /** The single requests, in order; empty for one request, and where they are not marked. */
  readonly requests: readonly (SaidLine & { readonly from: number })[]
}

const ROOT = join(import.meta.dirname, '../..')
const BETWEEN = ' | '
const MARK = /\[(\w+):([^[\]]+)\]/g
const CUT = ' // '

/** `said.txt` trains the tables of both places, `more-said.txt` only home's, which has room for more. */
export type Said = 'said.txt' | 'more-said.txt'

/** All messages, ordered by path. Throws for a line with malformed marks or labels. */
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
