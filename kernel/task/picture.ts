/**
 * A picture as a model is shown one: its bytes as they came, and what their first ones say they are. Nobody's words; what a model makes
 * of it bears its label and taint (B-27). Part of a prompt's request, opened by finalize.ts.
 */

/** What models of the owner's own can look at. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** A type and no interface, so that it may be labelled. */
export type Picture = {
  readonly mediaType: PictureType
  /** Base64, as every provider takes it. */
  readonly data: string
}

/** Bytes of a picture: a chat sends a tenth of that, and it is held thrice while a model is shown it. */
export const MOST_PICTURE = 5_242_880
/** The same of one that the edge has home's model shown: as base64 it is within one frame, with the prompt beside it. */
export const MOST_PICTURE_CARRIED = 600_000

/** Where each format says what it is; a WebP says it twice. */
const MARKS: readonly (readonly [
  type: PictureType,
  ...marks: readonly (readonly [at: number, mark: string])[],
])[] = [
  ['image/jpeg', [0, '\u00ff\u00d8\u00ff']],
  ['image/png', [0, '\u0089PNG\r\n\u001a\n']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
]

/** By its first bytes; null for what is no picture that is looked at. */
export function pictureIn(bytes: Uint8Array): PictureType | null {
  const begins = (at: number, mark: string): boolean =>
    [...mark].every((sign, index) => bytes[at + index] === sign.charCodeAt(0))
  const found = MARKS.find(([, ...marks]) => marks.every(([at, mark]) => begins(at, mark)))
  return found?.[0] ?? null
}
