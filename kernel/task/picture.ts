/**
 * A picture as a model is shown one: its bytes as they came, and what their first ones say they are. Nobody's words; what a model makes
 * of it bears its label and taint (B-27). Part of a prompt's request, opened by finalize.ts.
 */

/** What models of the owner's own can look at. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp'

/** A type and no interface, so that it may be labelled. */
export type Picture = {
  readonly mediaType: PictureType
  /** Base64, as every provider takes it. */
  readonly data: string
}

/** Bytes of a picture: a chat sends a tenth of that, and it is held thrice while a model is shown it. */
export const MOST_PICTURE = 5_242_880
