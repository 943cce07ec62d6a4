/**
 * Models that `pfar doctor` suggests, from `templates/models.toml`: names of models are data, because they become
 * outdated (S-06). Must not choose one. Called by local-advice.ts.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'

const FILE = new URL('../../templates/models.toml', import.meta.url)
const GIGABYTE = 1_073_741_824

const schema = z.strictObject({
  pull: z
    .array(
      z.strictObject({
        least_gigabytes: z.number().check(z.nonnegative()),
        // It becomes part of a command that a person copies.
        model: z.string().check(z.regex(/^[\w./:-]{1,200}$/)),
      }),
    )
    .check(z.minLength(1)),
})

export interface SuggestedModel {
  /** Bytes of memory. */
  readonly least: number
  readonly model: string
}

/** Largest first. Throws if the file is malformed: it is part of the program. */
export function suggestedModels(): readonly SuggestedModel[] {
  const { pull } = z.parse(schema, parse(readFileSync(FILE, 'utf8')))
  return pull
    .map(({ least_gigabytes: least, model }) => ({ least: least * GIGABYTE, model }))
    .toSorted((one, other) => other.least - one.least)
}
