/**
 * Known-value redactor (E-18): replaces, in all output of home's sinks, every secret that this process has unsealed or received, in all usual encodings.
 * A second line of defence: a secret should never get that far, so each find is reported. Must not write a value anywhere. Called for tool results,
 * prompts, answers, audit, log and terminal output.
 *
 * Keeps the values in memory until home stops. Does not find a value that is cut, translated or encrypted.
 */
import { mapStrings } from '../../kernel/flow/json.ts'
import { createNeedles, type Find, type KnownSecrets } from '../../kernel/wording/guard/needles.ts'
import { replaceSpans } from '../../kernel/wording/guard/spans.ts'
import { REDACTED } from './secret.ts'

export type RedactedAt = 'tool' | 'prompt' | 'audit' | 'log' | 'terminal' | 'answer'

export interface Redactor {
  /** Redacts this value from now on. */
  learn(name: string, value: string): void
  text(at: RedactedAt, text: string): string
  /** The same for all strings in plain data, including keys of records. */
  data<T>(at: RedactedAt, value: T): T
  /** For the output guard, which does its own replacement. */
  readonly known: KnownSecrets
}

/** UTF-16 units. A shorter line of a long value would occur in ordinary text by chance. */
const LEAST_LINE = 16

/** `found` gets the name of the secret and the sink, never the text. */
export function createRedactor(found: (name: string, at: RedactedAt) => void): Redactor {
  const needles = createNeedles()
  const report = (at: RedactedAt, finds: readonly Find[]): readonly Find[] => {
    for (const name of new Set(finds.map((find) => find.name))) found(name, at)
    return finds
  }
  // In prompts, values are also found across spaces and line breaks, because a model reads across them; elsewhere
  // only as they are.
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

/** Base64 of a value inside other bytes depends on its offset modulo 3. Keeps what the value alone determines. */
function shiftedBase64(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const own = whole.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6))
  return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
}
