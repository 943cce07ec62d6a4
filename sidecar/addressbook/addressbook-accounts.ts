/**
 * The owner's address book accounts besides Google's, as their tool is given them. Their backend loads with the first book that is read. Called
 * by home-tools.ts.
 */
import type { OwnAddressbookAccount } from '../../integrations/tools/addressbook/account-port.ts'
import type { CarddavSettings } from './addressbook-settings.ts'

export function createAddressbookAccounts(
  accounts: readonly CarddavSettings[],
): readonly OwnAddressbookAccount[] {
  return accounts.map((settings) => ({
    name: settings.name,
    hosts: [new URL(settings.server).host],
    run: async (call) => (await import('./carddav.ts')).runCarddav(call, settings),
  }))
}
