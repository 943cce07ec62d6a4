/**
 * Finds an operation for a request that a planner left out: the nearest one that changes something, and a sentence with which the
 * owner can call it (DESIGN §9), from declared words alone. Called by offer.ts.
 */
import { OPERATIONS } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Findable } from '../../prompt/tool-terms.ts'
import { languageNow } from '../../wording/language.ts'
import { languageIn } from '../../wording/languages.ts'

/** Operations that people ask for most; others count only if none of these is near. */
const OFTEN = /^(?:jobs|memory|changes)\./
/** Cards are answered by themselves; no sentence of an answer may suggest an approval. */
const CARDS = /^approvals\./

/** Operations in the form in which tools are ranked, by their ids: first those that are asked for most, then all. */
export function ownOperations(): readonly (readonly Findable[])[] {
  const all = operations()
  return [all.filter(({ name }) => OFTEN.test(name)), all].map((some) => some.map(findable))
}

function findable({ name, summary, args, phrases }: Operation): Findable {
  // The words after a colon describe other operations.
  const about = [summary.split(/[:;]/)[0], ...Object.values(args).map((one) => one.about)]
  return { id: name, description: about.join(' '), terms: phrases }
}

/** Null for an id that is no operation. In the owner's language, if there is such a phrase. */
export function sentenceFor(id: string): string | null {
  const operation = operations().find(({ name }) => name === id)
  if (operation === undefined) return null
  const phrases = operation.phrases.map(plainPhrase)
  const phrase = phrases.find((text) => languageIn(text, 1) === languageNow()) ?? phrases[0]
  const [about = ''] = Object.values(operation.args).map((argument) => argument.about.split(';')[0])
  return phrase ?? `/${operation.slash ?? operation.command.join(' ')} ${about}`.trim()
}

function operations(): readonly Operation[] {
  return OPERATIONS.filter(
    ({ name, from, slash, phrases, plannable, effect }) =>
      from !== 'terminal' &&
      effect !== 'read' &&
      !CARDS.test(name) &&
      (slash !== null || phrases.length > 0 || plannable),
  )
}

/** The phrase with the first alternative of each choice, optional words included, and a placeholder for each argument. */
function plainPhrase(phrase: string): string {
  return phrase
    .replace(/\(([^()|]*)[^()]*\)/g, '$1')
    .replace(/\[([^[\]|]*)[^[\]]*\]/g, '$1')
    .replace(/\[([^[\]|]*)[^[\]]*\]/g, '$1')
    .replace(/\{\w+\}/g, '…')
    .trim()
}
