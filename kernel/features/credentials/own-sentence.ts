/**
 * What the owner's own sentence does and no plan (DESIGN §9): jobs, what is remembered, what was changed. Of a request that a planner
 * left out, the nearest such operation and a sentence for it, by declared words alone. Called by offer.ts.
 */
import { OPERATIONS } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Findable } from '../../prompt/tool-terms.ts'
import { languageNow } from '../../wording/language.ts'
import { languageIn } from '../../wording/languages.ts'

/** As `role-plan.md` names them. */
const OWN = /^(?:jobs|memory|changes)\./

/** To be ranked beside the tools, by their ids. */
export function ownOperations(): readonly Findable[] {
  return operations().map(({ name, summary, args, phrases }) => ({
    id: name,
    // What stands behind a colon names what other operations do.
    description: [summary.split(/[:;]/)[0], ...Object.values(args).map(({ about }) => about)].join(' '),
    terms: phrases,
  }))
}

/** Null for an id that is none of them. In the owner's language, where a phrase is. */
export function sentenceFor(id: string): string | null {
  const operation = operations().find(({ name }) => name === id)
  if (operation === undefined) return null
  const phrases = operation.phrases.map(plainPhrase)
  const phrase = phrases.find((text) => languageIn(text, 1) === languageNow()) ?? phrases[0]
  const [about = ''] = Object.values(operation.args).map((argument) => argument.about.split(';')[0])
  return phrase ?? `/${operation.slash} ${about}`.trim()
}

function operations(): readonly Operation[] {
  return OPERATIONS.filter(({ name, slash, effect }) => OWN.test(name) && slash !== null && effect !== 'read')
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
