/**
 * What the assistant may be called and how it may be said to speak, by whoever says so: the configuration, or its owner
 * when he is asked. Both stand in every prompt. Called by config-schema.ts, home-notes.ts and first-questions.ts.
 */
import * as z from 'zod/mini'

/** A name as every prompt carries it. */
export const PERSONA_NAME = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9 _.-]{0,39}$/, 'must be at most 40 letters, digits, spaces, _ . -'))

/** UTF-16 units, as of any setting. */
export const PERSONA_STYLE = z.string().check(z.minLength(1), z.maxLength(200))
