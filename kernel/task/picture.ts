/**
 * A picture for a model: its original bytes, and the media type from its first bytes. Has no author; a model's output about it
 * gets its label and taint (B-27). Part of a prompt's request; opened by finalize.ts.
 */

/** Types that local models can read. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** A type, not an interface, so that it is `Json` and may be labelled. */
export type Picture = {
  readonly mediaType: PictureType
  /** Base64, the encoding that every provider accepts. */
  readonly data: string
}

/** Maximum bytes of a picture. A chat sends a tenth of that, and memory holds it three times during a model call. */
export const MOST_PICTURE = 5_242_880
/** Maximum bytes of a picture that the edge sends to home's model: as base64 it fits one frame together with the prompt. */
export const MOST_PICTURE_FORWARDED = 600_000

/** Magic bytes of each format; WebP has two. */
const MARKS: readonly (readonly [
  type: PictureType,
  ...marks: readonly (readonly [at: number, mark: string])[],
])[] = [
  ['image/jpeg', [0, '\u00ff\u00d8\u00ff']],
  ['image/png', [0, '\u0089PNG\r\n\u001a\n']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
]

/** The media type by the first bytes; null if it is not a supported picture. */
export function pictureIn(bytes: Uint8Array): PictureType | null {
  const found = MARKS.find(([, ...marks]) => marks.every(([at, mark]) => beginsAt(bytes, at, mark)))
  return found?.[0] ?? null
}

/** `mark`: magic bytes, one character for each. */
export function beginsAt(bytes: Uint8Array, at: number, mark: string): boolean {
  return [...mark].every((sign, index) => bytes[at + index] === sign.charCodeAt(0))
}
