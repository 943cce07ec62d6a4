/**
 * Recognises the argument of a next part ("more"): what an earlier call of the very same action was given, kept by the kernel beside its
 * result (tool/pages.ts). It goes back to that action as that argument; anything else is judged like any value. Called by call-verdict.ts and disclosure.ts.
 */
import { ownWordsOrigin } from '../flow/sink.ts'
import { OWNER_MESSAGE } from '../powers/effects.ts'
import { editsOf } from '../task/edits.ts'
import { isReference, parseReference } from '../task/plan.ts'
import { ONWARD } from '../tool/pages.ts'
import { type CallInput, type ResolvedArgument, sealedAt } from './resolve.ts'

/** Whether the value was given to an earlier call of this action as this argument, by no text of others. An edit of the owner's is none. */
export function isOnward({ task, index, action }: CallInput, { name, value }: ResolvedArgument): boolean {
  const step = task.plan?.steps[index]
  const written = step?.do === 'tool' ? step.args[name] : undefined
  if (step === undefined || !isReference(written) || editsOf(task, step.id).length > 0) return false
  const parsed = parseReference(written.$ref)
  if (!parsed.ok || value.taint.level === 'raw') return false
  const { root, path } = parsed.value
  const holds = sealedAt(task, root)?.holds
  const isOfCall = path.length === 2 && path[0] === ONWARD && path[1] === name
  return isOfCall && holds?.what === 'record' && holds.action === action.id
}

/** Whether only the owner, in this chat, and the action itself contributed to the value: the owner chose it, or approved a card with it. */
export function isOwnOnward(input: CallInput, argument: ResolvedArgument): boolean {
  const own = [ownWordsOrigin(input.task.sink), `tool:${input.action.id}`, ...OWN_ORIGINS]
  return isOnward(input, argument) && argument.value.taint.origins.every((origin) => own.includes(origin))
}

/** What every plan of the owner's has read besides the message: its typed fields, the owner's directives, and the kernel's words. */
const OWN_ORIGINS: readonly string[] = [OWNER_MESSAGE, 'directive', 'kernel']
