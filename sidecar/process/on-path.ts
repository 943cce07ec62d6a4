/** Whether an executable is on the PATH, without running it. Called by `pfar init` and `pfar doctor`. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export function isOnPath(name: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
