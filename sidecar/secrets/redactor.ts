/**
 * The known-value redactor (E-18): whatever leaves a sink of home is searched for the secrets that this process has
 * unsealed or taken, in every spelling that a service, a program or a model would give them, and what is found is
 * replaced. A second line: no secret should get that far, so each find is reported. Must not write a value anywhere.
 * Called at the sinks: tool results, prompts, answers, audit lines, log lines, and what goes to the terminal.
 *
 * It holds those values in memory until home stops. Not found: a value that is cut, translated or encrypted.
 */
import { mapStrings } from '../../kernel/flow/json.ts'
import { createNeedles, type Find, type KnownSecrets } from '../../kernel/wording/guard/needles.ts'
import { replaceSpans } from '../../kernel/wording/guard/spans.ts'
import { REDACTED } from './secret.ts'

export type RedactedAt = 'tool' | 'prompt' | 'audit' | 'log' | 'terminal' | 'answer'

export interface Redactor {
  /** From now on this value leaves nowhere. */
  learn(name: string, value: string): void
  text(at: RedactedAt, text: string): string
  /** The same for all strings of plain data, keys of records included. */
  data<T>(at: RedactedAt, value: T): T
  /** For the output guard, which replaces what is found itself. */
  readonly known: KnownSecrets
}

/** UTF-16 units: a shorter line of a long value would stand in ordinary text by chance. */
const LEAST_LINE = 16

/** `found` is told the name of the secret and the sink, never the text. */
export function createRedactor(found: (name: string, at: RedactedAt) => void): Redactor {
  const needles = createNeedles()
  const report = (at: RedactedAt, finds: readonly Find[]): readonly Find[] => {
    for (const name of new Set(finds.map((find) => find.name))) found(name, at)
    return finds
  }
  // A model reads across spaces and line breaks; a program's log or result is taken as it stands.
  const findAt = (at: RedactedAt, input: string): readonly Find[] =>
    at === 'prompt' ? needles.findSplit(input) : needles.find(input)
  const text = (at: RedactedAt, input: string): string =>
    replaceSpans(input, report(at, findAt(at, input)), REDACTED)
  return {
    learn(name, value) {
      for (const spelling of spellingsOf(value)) needles.add(name, spelling)
    },
    text,
    data: (at, value) => mapStrings(value, (inner) => text(at, inner)),
    known: {
      find: (input) => report('answer', needles.findSplit(input)),
      names: needles.names,
      unfinished: needles.unfinished,
    },
  }
}

function spellingsOf(value: string): ReadonlySet<string> {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= LEAST_LINE)
  const pieces = new Set([value, value.replace(/\s+/g, ''), ...lines])
  return new Set([...pieces].flatMap((piece) => [piece, ...encodingsOf(piece)]))
}

function encodingsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8')
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const base64 = [0, 1, 2].flatMap((shift) => shiftedBase64(bytes, shift))
  const urls = [encodeURIComponent(text), encodeURIComponent(text).replaceAll('%20', '+'), everyByte]
  const turned = [...text].toReversed().join('')
  return [JSON.stringify(text).slice(1, -1), ...urls, bytes.toString('hex'), ...base64, turned]
}

/** In the middle of other bytes a value begins at one of three places of a base64 group; what it alone decides is kept. */
function shiftedBase64(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const own = whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}
