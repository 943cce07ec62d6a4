/** The edge has no effects on what home alone keeps. Bundled there in place of home-actions.ts (`#home-actions` in package.json). */
import type { ActionManifest } from '../tool/manifest.ts'

export function homeActions(_sink: string): readonly ActionManifest[] {
  return []
}
