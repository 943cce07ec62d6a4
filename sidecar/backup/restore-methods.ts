/**
 * Method `restore_edge`: imports the decrypted stores of a lost edge into the edge that home uses now (E-16). Whoever
 * can open the socket is the owner, and `pfar restore --edge` has asked for confirmation. Must not open a backup: home
 * does not know its passphrase. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { type Methods, method } from '../line/method.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { StateFolder } from '../store/state-folder.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'
import { importEdge } from './edge-import.ts'
import { createEdgeLine } from './edge-line.ts'

/** Folder in the private state folder for the files that `pfar restore --edge` decrypted. */
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
