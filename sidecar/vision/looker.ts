/**
 * Who looks at the pictures that the edge's chat was sent (B-27): the model of `[vision]`, shown none that is not what the edge says it
 * is. Must not take a picture apart: its first bytes are all that is read here. Called by edge-connection.ts.
 */
import type { TextModel } from '../../kernel/inference/provider.ts'
import type { Looker } from '../../kernel/runtime/serve-model.ts'
import { type Picture, pictureIn } from '../../kernel/task/picture.ts'

/** Characters of base64 that hold the first bytes of every kind of picture. */
const BEGINNING = 16

export function lookerFor(model: TextModel): Looker {
  return { model, isPicture }
}

function isPicture({ mediaType, data }: Picture): boolean {
  return pictureIn(Buffer.from(data.slice(0, BEGINNING), 'base64')) === mediaType
}
