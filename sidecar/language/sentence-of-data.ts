/**
 * A field of a data file that names a sentence of a unit's words, so that a list of providers speaks each language. Must not take a name that
 * is none. Called by the readers of such lists.
 */
import * as z from 'zod/mini'
import { isSaying } from './wording.ts'

/** `before`: of the sentence's name. */
export function namedSentence(before: string) {
  return z.pipe(
    z.string(),
    z.transform((id, context) => {
      const saying = `${before}${id}`
      if (isSaying(saying)) return saying
      context.issues.push({ code: 'custom', message: `no ${saying}`, input: id })
      return z.NEVER
    }),
  )
}
