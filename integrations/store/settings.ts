/** Settings of the owner at this place, by name (DESIGN §9). Must not know what they mean. Called by createStore. */
import { eq } from 'drizzle-orm'
import type { SettingStore } from '../../kernel/features/quiet/port.ts'
import { cachedRows, type StoreContext } from './database/database.ts'
import { ownerSettings } from './schema/reminder-schema.ts'

export function createSettingStore(context: StoreContext): SettingStore {
  const { db } = context
  // Cached: there are few settings, and one message reads them about fifty times.
  const known = cachedRows(context, () => db.select().from(ownerSettings).all())
  return {
    setting: (name) => known.all().find((row) => row.name === name)?.value ?? null,
    saveSetting(name, value) {
      if (value === null) db.delete(ownerSettings).where(eq(ownerSettings.name, name)).run()
      else
        db.insert(ownerSettings)
          .values({ name, value })
          .onConflictDoUpdate({ target: ownerSettings.name, set: { value } })
          .run()
      known.changed()
    },
  }
}
