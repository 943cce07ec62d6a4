/**
 * Result of a step of `npm start`: a failure is one plain sentence for the user. Must not carry stacks or values from
 * configuration. Called by the files of this folder.
 */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Trouble

export interface Trouble {
  readonly ok: false
  readonly sentence: string
}

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function trouble(sentence: string): Trouble {
  return { ok: false, sentence }
}
