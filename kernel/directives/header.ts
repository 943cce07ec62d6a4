/**
 * Parses the ownership header of a directive file (O-05): lines between two `---`; `owns` is required. Must
 * not judge the values: mode.ts does. Called by change.ts and the prompt's view of a file.
 */

export interface Header {
  /** The subject that only this file covers, in one line. */
  readonly owns: string
  /** As written; null if absent. */
  readonly mode: string | null
  readonly tools: readonly string[]
  readonly intents: readonly string[]
  /** Number of lines with an unknown key. Reported to the owner, otherwise ignored. */
  readonly strange: number
}

export interface Parsed {
  /** Null if the file does not begin with a header, or the header has no `owns`. */
  readonly header: Header | null
  readonly body: string
}

const FENCE = '---'
/** Maximum lines of a header. A longer one is treated as text. */
const MOST_LINES = 12
/** Maximum UTF-16 units of `owns`, which every owner prompt contains. */
export const OWNS_MAX = 120

const KEYS: readonly string[] = ['owns', 'mode', 'tools', 'intents']

export function parseHeader(text: string): Parsed {
  const lines = text.split('\n')
  const end = lines.slice(1, MOST_LINES + 2).findIndex((line) => line.trim() === FENCE)
  if (lines[0]?.trim() !== FENCE || end < 0) return { header: null, body: text }
  const body = lines.slice(end + 2).join('\n')
  const entries = lines.slice(1, end + 1).map(entryOf)
  const value = (key: string): string => entries.find((entry) => entry?.key === key)?.value ?? ''
  const owns = value('owns')
  if (owns === '' || owns.length > OWNS_MAX) return { header: null, body }
  const strange = entries.filter((entry) => entry === null).length
  const mode = value('mode')
  return {
    body,
    header: {
      ...{ owns, strange, mode: mode === '' ? null : mode },
      ...{ tools: listOf(value('tools')), intents: listOf(value('intents')) },
    },
  }
}

function entryOf(line: string): { readonly key: string; readonly value: string } | null {
  const found = /^([a-z]+):(.*)$/.exec(line.trim())
  const key = found?.[1] ?? ''
  return KEYS.includes(key) ? { key, value: (found?.[2] ?? '').trim() } : null
}

function listOf(value: string): readonly string[] {
  return value.split(/[\s,]+/).filter((item) => item !== '')
}
