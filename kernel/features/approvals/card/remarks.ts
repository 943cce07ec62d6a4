/**
 * Remarks on a card beside the arguments: what the declared lookup of the tool found about the call, in the
 * words of the tool, one line each. Found text is shown as data. Must not look anything up. Called by
 * authorize.ts.
 */

import { accountSentAlong } from '../../../call/along.ts'
import { isPlainRecord, type Json } from '../../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../../flow/labeled.ts'
import { receive } from '../../../flow/provenance.ts'
import { type LabeledRecord, pick } from '../../../flow/record.ts'
import type { Result } from '../../../flow/verdict.ts'
import type { Actions, OwnerFacts, Tools } from '../../../powers/ports.ts'
import type { Task } from '../../../task/task.ts'
import type { ToolCall } from '../../../tool/manifest.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import { isBound } from '../../../tool/remarks.ts'
import { cardWords } from '../../../tool/worded.ts'
import { type GuardPorts, withoutSecrets } from '../../../wording/guard/guard.ts'
import { instantOf, namedMoment } from '../../../wording/output.ts'
import { previewOf } from '../../../wording/visible.ts'
import { tell } from '../../../wording/words.ts'
import { namingOf } from '../../credentials/ask-credential.ts'
import { beforeQuestion, noteOn } from './card.ts'
import { itemText, shortText } from './found.ts'

interface Remarked {
  readonly action: RegisteredAction
  /** Result of the lookup; null if it failed, undefined if there was nothing to look up. */
  readonly found: LabeledRecord | null | undefined
  readonly card: Labeled<string>
  /** The call was asked about before, with an earlier version of its target. */
  readonly changed: boolean
}

/** Whether the approved version of the target no longer exists, so that the owner is asked again. */
export function isOfAnotherVersion(action: RegisteredAction, spent: Result<unknown>): boolean {
  return !spent.ok && spent.reason.code === 'approval_changed' && isBound(action)
}

/** A secret in the found text, such as a title, must not block a call that contains none. */
export function remarkedCard(
  powers: GuardPorts & OwnerFacts,
  task: Task,
  remarked: Remarked,
): Labeled<string> {
  const card = withRemarks(powers, task, remarked)
  const isOpen = test(card, (text) => withoutSecrets(powers, text) === text)
  return isOpen ? card : withRemarks(powers, task, { ...remarked, found: null })
}

/** The card with these lines before its question. */
function withRemarks(
  { profile }: OwnerFacts,
  task: Task,
  { action, found, changed, ...asked }: Remarked,
): Labeled<string> {
  if (action.remarks === undefined || found === undefined) return asked.card
  const card = changed
    ? derive(asked.card, (text) => `${tell('approvals.changed_since')}\n${text}`)
    : asked.card
  const { remarks = {}, unremarked } = cardWords(action) ?? {}
  if (found === null) return withLines(card, [derive(card, () => unremarked ?? tell('approvals.unremarked'))])
  const { contacts, timezone } = profile()
  const place = { timezone, now: task.createdAt }
  const lines = Object.entries(remarks).flatMap(([field, words]) => {
    const value = pick(found, [field])
    return value.ok
      ? [
          derive(value.value, (inner) =>
            linesOf(
              words,
              inner,
              (item) => shown(item, place),
              (address) => noteOn(contacts, address),
            ),
          ),
        ]
      : []
  })
  return withLines(card, lines)
}

/**
 * Adds the form of a key that is sent with the call; which hosts have a key is shown only on private lines.
 */
export function keyedCard(
  powers: Actions & Tools,
  task: Task,
  { action, card, args }: Pick<Remarked, 'action' | 'card'> & { readonly args: Labeled<ToolCall['args']> },
): Labeled<string> {
  const account = accountSentAlong(powers, action, args)
  if (account === null) return card
  const { credential, sends } = account
  const { origin, header, scheme } = sends
  const form = scheme === null ? header : `${header} (${scheme})`
  const line = receive(
    tell('approvals.key_along', { origin, form }),
    namingOf(powers, [credential], task.sink),
  )
  return withLines(card, [line])
}

function withLines(card: Labeled<string>, lines: readonly Labeled<string>[]): Labeled<string> {
  return combine<string, string>([card, ...lines], ([text = '', ...added]) => beforeQuestion(text, added))
}

/** For `true` only the words are shown; a list gets one line per item. */
function linesOf(
  words: string,
  value: Json,
  say: (item: Json) => string,
  note: (address: string) => string | null,
): string {
  if (value === true) return words
  if (value === false || value === null) return ''
  const items = Array.isArray(value) ? value : [value]
  return items.map((item: Json) => previewOf(words, say(item), note)).join('\n')
}

function shown(item: Json, place: { readonly timezone: string; readonly now: number }): string {
  if (isPlainRecord(item)) return shortText(item, place)
  const at = instantOf(item)
  if (at !== null) return namedMoment(at, place.timezone, place.now)
  return typeof item === 'string' ? item : itemText(item)
}
