/**
 * `[vision]` of home's configuration: the model that describes pictures. Always the owner's own: a picture carries
 * time, place and background details, so no other company's model gets one, even if acknowledged. Its address
 * determines its locality (`localityOf`). Must not hold a key: only its name. Called by config.ts.
 */
import * as z from 'zod/mini'
import { localityOf } from '../../integrations/models/locality.ts'
import { providerEntry } from '../../integrations/models/provider-settings.ts'
import { type HomeProvider, homeProvider, VAULT_KEY } from '../models/models-config.ts'

/** Reader id, and the owner of its key in the vault. */
export const VISION = 'vision'

const entry = z.pick(providerEntry, { model: true, window: true, keep_alive: true, system_role: true })

export const visionSchema = z
  .strictObject({
    ...entry.shape,
    base_url: providerEntry.shape.base_url,
    kind: z._default(z.enum(['ollama', 'openai']), 'ollama'),
    key: z.optional(VAULT_KEY),
  })
  .check(
    z.refine((own) => localityOf({ ...own, cloud: false }) === 'home', {
      error:
        'must be a model of your own, by an address of this machine or of your network: pictures are looked at at home or not at all',
    }),
  )

export function visionConfig(parsed: z.output<typeof visionSchema> | undefined): HomeProvider | null {
  if (parsed === undefined) return null
  return homeProvider({ ...parsed, name: VISION, cloud: false, edge: false, warm: false })
}
