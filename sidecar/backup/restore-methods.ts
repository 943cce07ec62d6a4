/**
 * `restore_edge`: the opened stores of a lost edge, put into the edge that home uses now (E-16). Whoever can open the
 * socket is the owner, and `pfar restore --edge` has asked him. Must not open a backup: its passphrase is not home's to
 * know. Called by runtime.ts, which adds it to the table of methods.
 */
import * as z from 'zod/mini'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { DeviceKey } from '../device-key.ts'
import { type Methods, method } from '../line/method.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { StateFolder } from '../state-folder.ts'
import { importEdge } from './edge-import.ts'
import { createEdgeLine } from './edge-line.ts'

/** Where `pfar restore --edge` puts what it opened, in the private state folder. */
export const EDGE_RESTORE = 'edge-restore'

export interface RestoreMethodsInput {
  readonly folder: StateFolder
  readonly edge: string | null
  readonly device: DeviceKey
  readonly sealing: Pick<SealingKey, 'openPart'>
}

export function createRestoreMethods(input: RestoreMethodsInput): Methods {
  const { folder, edge, device, sealing } = input
  return {
    restore_edge: method(z.strictObject({}), async () => {
      if (edge === null) return err('remote_unavailable')
      const line = createEdgeLine(edge, device)
      const restored = await importEdge({ from: folder.file(EDGE_RESTORE), line, sealing })
      return restored.ok ? ok({ edge, stores: restored.value }) : restored
    }),
  }
}
