// Reads Parquet files with parquet-java, row by row, and prints what it finds in the form of tests/interop/go/values.
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;

public class ReadValues {
  static final char[] HEX = "0123456789abcdef".toCharArray();

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder("\"");
    for (byte b : bytes) text.append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
    return text.append('"').toString();
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else out.append(c < 32 || c > 126 ? ' ' : c);
    }
    return out.append('"').toString();
  }

  static String value(Group row, int i, GroupType schema) {
    if (row.getFieldRepetitionCount(i) == 0) return "null";
    switch (schema.getType(i).asPrimitiveType().getPrimitiveTypeName()) {
      case BOOLEAN: return String.valueOf(row.getBoolean(i, 0));
      case INT32: return String.valueOf(row.getInteger(i, 0));
      case INT64: return String.valueOf(row.getLong(i, 0));
      case FLOAT: return String.format("\"%08x\"", Float.floatToRawIntBits(row.getFloat(i, 0)));
      case DOUBLE: return String.format("\"%016x\"", Double.doubleToRawLongBits(row.getDouble(i, 0)));
      default: return hex(row.getBinary(i, 0).getBytes());
    }
  }

  static String read(String name) throws Exception {
    Path path = new Path("file://" + name);
    MessageType schema = ParquetFileReader.readFooter(new Configuration(), path).getFileMetaData().getSchema();
    List<StringBuilder> columns = new ArrayList<>();
    for (int i = 0; i < schema.getFieldCount(); ++i) columns.add(new StringBuilder());
    try (ParquetReader<Group> reader = ParquetReader.builder(new GroupReadSupport(), path).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        for (int i = 0; i < columns.size(); ++i) {
          StringBuilder column = columns.get(i);
          column.append(column.length() == 0 ? "" : ",").append(value(row, i, row.getType()));
        }
      }
    }
    StringBuilder line = new StringBuilder("{\"path\":" + quoted(name) + ",\"columns\":{");
    for (int i = 0; i < columns.size(); ++i) {
      line.append(i == 0 ? "" : ",").append(quoted(schema.getFieldName(i))).append(":[").append(columns.get(i)).append(']');
    }
    return line.append("}}").toString();
  }

  static String reason(Throwable e) {
    while (e.getCause() != null && e.getCause() != e) e = e.getCause();
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);  // where old releases print what they are doing
    out.println("{\"version\":" + quoted(arguments[0]) + "}");
    for (int i = 1; i < arguments.length; ++i) {
      try {
        out.println(read(arguments[i]));
      } catch (Throwable e) {
        out.println("{\"path\":" + quoted(arguments[i]) + ",\"error\":" + quoted(reason(e)) + "}");
      }
      out.flush();
    }
  }
}
