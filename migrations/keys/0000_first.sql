CREATE TABLE `data_keys` (
	`store` text NOT NULL,
	`principal` text NOT NULL,
	`generation` integer NOT NULL,
	`wrapped` blob,
	PRIMARY KEY(`store`, `principal`, `generation`)
);
--> statement-breakpoint
CREATE TABLE `masters` (
	`id` integer PRIMARY KEY NOT NULL,
	`check` blob NOT NULL,
	`epoch` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `record_versions` (
	`store` text NOT NULL,
	`record` text NOT NULL,
	`version` integer NOT NULL,
	`gone` integer NOT NULL,
	PRIMARY KEY(`store`, `record`)
);
