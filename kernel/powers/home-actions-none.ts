/**
 * The edge has no effects on data that only home stores. Bundled there in place of
 * home-actions.ts (`#home-actions` in package.json).
 */
import type { ActionManifest } from '../tool/manifest.ts'

export function homeActions(_sink: string): readonly ActionManifest[] {
  return []
}
