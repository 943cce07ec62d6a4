/**
 * Schemas of the assistant's name and style, which stand in every prompt, whether they come from the configuration or
 * from the owner's answers. Called by config-schema.ts, home-notes.ts and first-questions.ts.
 */
import * as z from 'zod/mini'

export const PERSONA_NAME = z
  .string()
  .check(
    z.regex(
      /^[\p{Script=Latin}0-9][\p{Script=Latin}0-9 _.-]{0,39}$/u,
      'must be at most 40 letters, digits, spaces, _ . -',
    ),
  )

/** UTF-16 units, as for any setting. */
export const PERSONA_STYLE = z.string().check(z.minLength(1), z.maxLength(200))
