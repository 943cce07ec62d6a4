/**
 * What the owner's own sentence does (DESIGN §9). Of a request that a planner left out, the nearest operation that changes anything and a
 * sentence for it, by declared words alone. Called by offer.ts.
 */
import { OPERATIONS } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Findable } from '../../prompt/tool-terms.ts'
import { languageNow } from '../../wording/language.ts'
import { languageIn } from '../../wording/languages.ts'

/** Asked for most, so that other operations are looked at where none of these is near. */
const OFTEN = /^(?:jobs|memory|changes)\./
/** A card is answered by itself, and no sentence of an answer may propose a yes. */
const CARDS = /^approvals\./

/** To be ranked beside the tools, by their ids: those that are asked for most, and all. */
export function ownOperations(): readonly (readonly Findable[])[] {
  const all = operations()
  return [all.filter(({ name }) => OFTEN.test(name)), all].map((some) => some.map(findable))
}

function findable({ name, summary, args, phrases }: Operation): Findable {
  // What stands behind a colon names what other operations do.
  const about = [summary.split(/[:;]/)[0], ...Object.values(args).map((one) => one.about)]
  return { id: name, description: about.join(' '), terms: phrases }
}

/** Null for an id that is none of them. In the owner's language, where a phrase is. */
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

/** With the first of the words to choose from, also of those that may be left out, and a mark for what is named. */
function plainPhrase(phrase: string): string {
  return phrase
    .replace(/\(([^()|]*)[^()]*\)/g, '$1')
    .replace(/\[([^[\]|]*)[^[\]]*\]/g, '$1')
    .replace(/\[([^[\]|]*)[^[\]]*\]/g, '$1')
    .replace(/\{\w+\}/g, '…')
    .trim()
}
