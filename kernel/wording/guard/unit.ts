/**
 * Applies every guard rule in turn to one stretch of an answer. Each rule sees the previous rule's output, and none removes
 * text without a mark, so that two removals cannot join into something a third rule would have removed. Pure and linear. Called
 * by stream.ts, which determines the stretches.
 */
import type { Json } from '../../flow/json.ts'
import { type Allowed, allowedAddresses, guardAddresses } from './addresses.ts'
import { draftStart, removeClaims } from './claims.ts'
import { keepIdentity } from './identity.ts'
import { unmask } from './imitation.ts'
import { breakMarkup, showTargets } from './markup.ts'
import { type OwnNames, removeMarker, removeNames, removePromptLines, runsIn } from './names.ts'
import type { KnownSecrets } from './needles.ts'
import { plainText } from './plain.ts'
import { scrubSecrets } from './secrets.ts'
import { type Others, othersOf } from './sentences.ts'

/** The context in which an answer is checked. */
export interface GuardContext {
  /** Everything that the writer read: its addresses are allowed, its names may be repeated. */
  readonly read: readonly Json[]
  /** The part of `read` that others than the person wrote. Its sentences are attributed to them. */
  readonly others: readonly Json[]
  /** Ids of the writes that ran. Read only if there is a claim. */
  readonly done: () => readonly string[]
  /** Ids of the writes of this task that did not run. */
  readonly failed: () => readonly string[]
  readonly known: KnownSecrets
  readonly own: OwnNames
}

/** The context prepared for one answer. Each part is computed on first use. */
export interface Judge {
  readonly done: () => readonly string[]
  readonly failed: () => readonly string[]
  readonly known: KnownSecrets
  readonly own: OwnNames
  readonly hasRead: boolean
  readonly addresses: Allowed
  readonly others: Others
  readonly isRead: (name: string) => boolean
  readonly runs: () => ReadonlySet<string>
}

export function createJudge({ read, others, done, failed, known, own }: GuardContext): Judge {
  let texts: readonly string[] | null = null
  let runs: ReadonlySet<string> | null = null
  const inputs = (): readonly string[] => {
    texts ??= read.flatMap(stringsIn)
    return texts
  }
  return {
    ...{ done, failed, known, own, hasRead: others.length > 0 },
    addresses: allowedAddresses(inputs),
    others: othersOf(() => others.flatMap(stringsIn)),
    isRead: (name) => inputs().some((input) => input.includes(name)),
    runs() {
      runs ??= runsIn(inputs())
      return runs
    },
  }
}

function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

export interface Guarded {
  readonly text: string
  /** Whether a draft for the person's own use follows. */
  readonly drafting: boolean
}

export function guardUnit(raw: string, judge: Judge, drafting: boolean): Guarded {
  const { known, own, addresses } = judge
  const plain = removeMarker(scrubSecrets(plainText(raw), known), own)
  const named = removeNames(removePromptLines(plain, own, judge.runs), own, judge.isRead)
  const voiced = ownVoice(named, judge, drafting)
  const linked = guardAddresses(showTargets(voiced), addresses)
  const text = tidy(unmask(breakMarkup(linked, addresses)))
  return { text, drafting: drafting || draftStart(plain) < plain.length }
}

function ownVoice(text: string, judge: Judge, drafting: boolean): string {
  const draftIn = (one: string): number => (drafting ? 0 : draftStart(one))
  const kept = keepIdentity(text, judge.others, { name: judge.own.name, draft: draftIn(text) })
  return removeClaims(kept, judge, draftIn(kept))
}

/** No spaces at line ends, at most one blank line: inside a stretch it looks the same as between two. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()
}
