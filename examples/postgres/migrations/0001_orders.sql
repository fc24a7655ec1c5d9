CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer text NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
