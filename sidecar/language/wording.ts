/**
 * Words for people that home alone tells: of `pfar init` and of the conversation in a terminal, in the owner's language, beside those of the kernel.
 * Generated from words/en.toml and the like (`npm run tables`). Called by sidecar/init and sidecar/cli; must not be bundled for the edge.
 */
import { languageNow } from '../../kernel/wording/language.ts'
import {
  filledIn,
  type Saying as KernelSaying,
  tell as tellOfKernel,
  type Values,
} from '../../kernel/wording/words.ts'
import WORDS from '../words.json' with { type: 'json' }

type HomeSaying = keyof typeof WORDS.en

export type Saying = KernelSaying | HomeSaying

/** Throws when a value is missing. */
export function tell(saying: Saying, values?: Values): string {
  return isOfHome(saying)
    ? filledIn(saying, WORDS[languageNow()][saying], values)
    : tellOfKernel(saying, values)
}

/** Of what is typed behind it. */
export function prompt(saying: Saying, values?: Values): string {
  return `${tell(saying, values)} `
}

/** Of a sentence that data names. */
export function isSaying(name: string): name is HomeSaying {
  return Object.hasOwn(WORDS.en, name)
}

function isOfHome(saying: Saying): saying is HomeSaying {
  return Object.hasOwn(WORDS.en, saying)
}
