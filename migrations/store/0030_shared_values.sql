CREATE TABLE `shared_values` (
	`id` integer PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
