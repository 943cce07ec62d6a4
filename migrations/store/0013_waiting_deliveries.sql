CREATE TABLE `waiting_deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`principal` text NOT NULL,
	`sink` text NOT NULL,
	`asked` integer NOT NULL,
	`since` integer NOT NULL,
	`due` integer NOT NULL,
	`held` integer NOT NULL,
	`attempts` integer NOT NULL,
	`bytes` integer NOT NULL,
	`told` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `waiting_deliveries_id_unique` ON `waiting_deliveries` (`id`);