/**
 * Recognises a question about a contact, "wer ist Tom?", and a request for all contacts, "zeig meine Kontakte". Questions about
 * anybody else are left to other matchers. Must not answer. Called by home-talk.ts.
 */
import { derive, test } from '../../flow/labeled.ts'
import type { OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { indexWords } from '../memory/telling-words.ts'
import { MOST, plainCore } from './recognise-end.ts'

const ALL =
  /^(?:(?:show|list|tell|zeige?|nenne?|liste)(?: me| mir)? )?(?:all |alle )?(?:of )?(?:(?:my|the|meine|die) )?(?:contacts|kontakte)(?: an| auf)?[\s.!?]*$/iu
const WHO =
  /^(?:(?:und|and|so) )?(?:who(?:['’]?s| is)|do i know|do you know|wer ist|kenn(?:st du|e? ich)) (?:(?:denn|eigentlich|noch ?mal|this|der|die) )*(?<who>[\p{L}][\p{L}\p{N}.'’ -]{1,60}?)(?: (?:denn|eigentlich|noch ?mal|again|überhaupt))*[\s?!.]*$/iu

/** Null for any other message, and for the name of nobody among the contacts. */
export async function recognisePerson(
  powers: SealedReading & OwnerFacts,
  { principal, words, quoted, attached, typed }: Task,
): Promise<MeantOperation | null> {
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  if (test(said.value, (text) => text.length <= MOST && ALL.test(plainCore(text))))
    return { operation: 'contacts.list', args: {}, named: null }
  const who = derive(said.value, (text) =>
    text.length > MOST ? '' : (WHO.exec(plainCore(text))?.groups?.['who'] ?? ''),
  )
  const { contacts } = powers.profile()
  const isContact = test(who, (name) => {
    const wanted = indexWords(name)
    return wanted.length > 0 && contacts.some((one) => hasAll(indexWords(one.name), wanted))
  })
  return isContact ? { operation: 'contacts.find', args: {}, named: { argument: 'who', words: who } } : null
}

function hasAll(own: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => own.includes(word))
}
