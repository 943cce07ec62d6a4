/**
 * Removes a model's reasoning from its answer during streaming (D-18): the text between reasoning marks, however chunked, and
 * even if unclosed. A mark in quotes is ordinary text. Must not change the rest, except for leading white space. Called by
 * streamed-model.ts.
 */

interface Marks {
  readonly open: string
  readonly close: string
}

/** Reasoning marks of current models' templates, matched without regard to case. */
const MARKS: readonly Marks[] = [
  { open: '<think>', close: '</think>' },
  { open: '<thinking>', close: '</thinking>' },
  { open: '<thought>', close: '</thought>' },
  { open: '<reasoning>', close: '</reasoning>' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '[think]', close: '[/think]' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|start_thinking|>', close: '<|end_thinking|>' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
]

/** Characters that make a mark behind them ordinary text. */
const QUOTES = new Set('`\'"‘’“”«»„')

/** An end mark without a start mark counts only at the start of a line; elsewhere it is a quotation and removes nothing. */
const LINE_STARTS = new Set(['', '\n'])

export interface ReasoningFilter {
  /** Adds a chunk; returns the new part of the answer. */
  push(text: string): string
  /** Returns the rest of the answer, which was withheld because it could have become a mark. */
  end(): string
  /** Returns the whole answer. An end mark without a start mark removes everything before it. */
  answer(): string
}

/** `begun`: the model's output starts inside its reasoning. */
export function createReasoningFilter(begun: boolean): ReasoningFilter {
  let inside: Marks | null = begun ? (MARKS[0] ?? null) : null
  let [held, answer, before] = ['', '', '']

  const keep = (text: string): string => {
    before = text.at(-1) ?? before
    const kept = answer === '' ? text.trimStart() : text
    answer += kept
    return kept
  }

  /** Consumes one mark, or all text that cannot start one. Returns the new part of the answer; null when more input is needed. */
  const step = (): string | null => {
    const marks = inside === null ? MARKS.flatMap(({ open, close }) => [open, close]) : [inside.close]
    const found = firstOf(held, marks)
    if (found === null) {
      const from = held.length - unfinished(held, marks)
      const free = held.slice(0, from)
      held = held.slice(from)
      return free === '' ? null : inside === null ? keep(free) : ''
    }
    const [at, mark] = found
    const free = held.slice(0, at)
    held = held.slice(at + mark.length)
    if (inside !== null) {
      inside = null
      before = ''
      return ''
    }
    const heard = keep(free)
    const begun = MARKS.find(({ open }) => open === lowerCase(mark)) ?? null
    if (begun === null ? !LINE_STARTS.has(before) : QUOTES.has(before)) return heard + keep(mark)
    inside = begun
    if (begun === null) answer = ''
    return heard
  }

  return {
    push: (text) => {
      held += text
      let heard = ''
      for (let next = step(); next !== null; next = step()) heard += next
      return heard
    },
    end: () => {
      const rest = inside === null ? keep(held) : ''
      held = ''
      return rest
    },
    answer: () => answer,
  }
}

function firstOf(text: string, marks: readonly string[]): readonly [number, string] | null {
  const lower = lowerCase(text)
  let first: readonly [number, string] | null = null
  for (const mark of marks) {
    const at = lower.indexOf(mark)
    if (at !== -1 && (first === null || at < first[0])) first = [at, text.slice(at, at + mark.length)]
  }
  return first
}

/** Length of the longest suffix that is the start of a mark. */
function unfinished(text: string, marks: readonly string[]): number {
  const longest = Math.max(...marks.map(({ length }) => length)) - 1
  const lower = lowerCase(text.slice(-longest))
  for (let at = 0; at < lower.length; at += 1)
    if (marks.some((mark) => mark.startsWith(lower.slice(at)))) return lower.length - at
  return 0
}

/** Lower-cases ASCII only: other letters can change their length. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
