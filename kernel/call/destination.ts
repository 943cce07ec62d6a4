/**
 * Which arguments of a call are destinations, and which of those are unknown: neither typed by the owner in this
 * message nor one of their contacts (DESIGN §2). Must not decide what follows. Called by call-verdict.ts and
 * call-grant.ts.
 */
import { type FieldSpec, leavesOf } from '../flow/field.ts'
import { stringsIn } from '../flow/json.ts'
import { combine, test } from '../flow/labeled.ts'
import type { ResolvedArgument, ResolvedCall } from '../pipeline/resolve.ts'
import type { OwnerFacts } from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { Task } from '../task/task.ts'
import { bareWord, typedWords } from './typed.ts'

export async function unknownDestinations(
  powers: SealedReading & OwnerFacts,
  task: Task,
  call: ResolvedCall,
): Promise<readonly ResolvedArgument[]> {
  const strange: ResolvedArgument[] = []
  for (const argument of call.args) {
    if (!isDestination(argument.spec) || isContact(powers, argument)) continue
    if (!(await isTypedByOwner(powers, task, argument))) strange.push(argument)
  }
  return strange
}

export function isDestination(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.destination === true)
}

export function hasFreeText(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.kind === 'text')
}

function isContact(powers: OwnerFacts, { value }: ResolvedArgument): boolean {
  const known = new Set(powers.profile().contacts.map(({ email }) => email.toLowerCase()))
  return test(value, (inner) => stringsIn(inner).every((address) => known.has(address.toLowerCase())))
}

/**
 * Matches whole words of the owner's own clean text only. A name found in a mail, or part of an address, does not
 * count as typed.
 */
async function isTypedByOwner(
  powers: SealedReading,
  task: Task,
  { value }: ResolvedArgument,
): Promise<boolean> {
  if (task.words.taint.level !== 'clean' || value.taint.level !== 'clean') return false
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const typed = combine([words.value, value], ([text, inner]) => {
    const known = new Set(typedWords(String(text)).flatMap((word) => [word, bareWord(word)]))
    return stringsIn(inner ?? null).every((address) => known.has(address))
  })
  return test(typed, (inner) => inner === true)
}
