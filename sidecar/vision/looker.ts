/**
 * Model that describes pictures for the edge's chat (B-27): the one in `[vision]`. Accepts a picture only if its first
 * bytes match the declared type. Must not decode a picture. Called by edge-connection.ts.
 */

import type { Looker } from '../../kernel/features/models/serve-model.ts'
import type { TextModel } from '../../kernel/inference/provider.ts'
import { type Picture, pictureIn } from '../../kernel/task/picture.ts'

/** Characters of base64 that contain the signature of every supported type. */
const BEGINNING = 16

export function lookerFor(model: TextModel): Looker {
  return { model, isPicture }
}

function isPicture({ mediaType, data }: Picture): boolean {
  return pictureIn(Buffer.from(data.slice(0, BEGINNING), 'base64')) === mediaType
}
